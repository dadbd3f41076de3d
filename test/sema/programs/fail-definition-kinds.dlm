// flags: -Dcut=2.5 -Dshare=25% -Dreal=2
option cut = 3
option share = 3
option real = 0.5
