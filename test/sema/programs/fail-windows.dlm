// What does not fit under windows is said in sizes.
use nn, optim, data
let images = data.idx("tiny")
train t {
  let net = nn.Conv2d(1, 4, kernel = 3)
  let odd = nn.Conv2d(3, 4, kernel = 3, groups = 2)
  data = images
  batch = 2
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let y = x[..., new]
    let a = conv2d(x, net.weight)
    let b = conv2d(y, net.weight, stride = 0)
    let c = conv2d(y, zeros([2, 2, 3, 4]))
    let d = conv2d(y, zeros([5, 2, 1, 4]))
    let e = conv2d(y, zeros([2, 2, 1, 4]), stride = (1, 1, 1))
    let f = conv2d(y, zeros([2, 2, 1, 4]), groups = 3)
    let g = conv2d(y, zeros([2, 2, 1]))
    let h = max_pool(y, 2, padding = 2)
    let i = max_pool(batch.image[..., new], 2)
    let j = avg_pool(batch.label, 2)
    let k = conv_transpose2d(y, zeros([2, 2, 1, 4]), stride = 2, output_padding = 2)
    let l = conv_transpose2d(y, zeros([2, 2, 1, 4]), padding = 3)
    let m = windows(rearrange(y, "b h w c -> h b w c"), 1)
    let o = conv1d(x, zeros([2, 3, 4], i32))
    let p = max_pool(y, 2.5)
    mean(net(y))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 10 steps
}
