// flags: -Dpower=2**70 -Dhex=0x1 -Dlarge=1e400 -Dhuge=99999999999999999999 -Dpair=1..2 -Dt=2**3
option power = 3
option hex = 3
option large = 3.5
option huge = 3
option pair = 3
option t = 5 steps
