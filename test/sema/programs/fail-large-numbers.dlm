let item = [1, 2, 3][2 ** 63]
let real = 1e309
let whole = 9223372036854775808
let span = 1e400 steps
let row = iota(2 ** 63)
let less = iota(-2 ** 64)
let most = 9223372036854775807
