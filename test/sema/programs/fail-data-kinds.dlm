use optim, data

let text = data.text("poems.txt", tokenizer = "chars", window = 5)
let corpus = data.tokens("*.bin", window = 0, order = shufled)
let unknown = data.text("poems.txt", tokenizer = data.chars(), window = 5)
let misspelt = data.images(train = "pictures")
let torn = data.images(train = "pictures")
let untyped = data.npy("x.npy")
let bare = data.images(train = "pictures")
let houses = data.csv("houses.csv", target = "prize")
let photos = data.images(train = "a", max_side = 64) |> data.map(fn(s) { s.label })
let digits = data.idx("mnist") |> data.map(fn(s) { (x = if training { s.image } else { s.label }) })
let sounds = data.jsonl("sounds.jsonl", validation = 100%)
let mixed = data.mix([photos, text])
let member = houses.vocab
let category = data.category(min_count = 0)

train t {
  data = 3
}
