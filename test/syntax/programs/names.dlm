// Words that begin declarations are ordinary names elsewhere.
use option, model as train

model update(data: int, state: int) {
  param next: f32[data] = ones
  fn test(of: int, as: int) { of + as + batch.next + state.param }
}

fn search(buffer) {
  next * 2
  next(export)
  let command = use.param
  command
}

train train {
  update = 3
  command = 4
  option = model
  next { state = 1 }
  update update { of = net }
}
