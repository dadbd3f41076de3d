let pause = 30mins
let run = 5 epoch
let sum = 5 epochs + 3 steps
let fine = 30min / 10min
let product = 2 * 5 epochs * 3 epochs
train t { duration = 3GiB }
