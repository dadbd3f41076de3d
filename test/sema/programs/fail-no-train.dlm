let x = 3
