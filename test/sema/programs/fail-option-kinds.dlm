use nn, data
option layers = [64, 64]
option nothing = none
option layer = nn.Linear
option pair = (1, 2)
option row = zeros([3])
option source = data.idx("tiny")
option fine = 3
option twice = 2 * fine
let length = len(layers)
