train a { seed = 1 }
train b { seed = 2 }
