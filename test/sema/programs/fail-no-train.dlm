// flags: --run
let x = 3
