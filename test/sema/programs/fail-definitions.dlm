// flags: -Dlength=3mins -Dwarmup=500 -Dn=5steps -Dwide=True -Dmost=10epochs -Dfast=no -Dslow=2hours
option length = 10min
option warmup = 50 steps
option n = 3
option wide = false
option most = 10 steps
option fast = 1
option slow = 1h
