// What is wrong with arrays, JSON lines and photos, or with what is said of them.
use data

let lost = data.npy("tone.npz")
let late = data.npy("late.npz", validation = 1)
let uneven = data.npy("uneven.npz")
let words = data.npy("words.npz")
let named = data.npy("named.npz")
let column = data.npy("column.npy")
let text = data.npy("plants.jsonl")
let other = data.npy("tones.npz", validation = "uneven.npz")
let moody = data.jsonl("moody.jsonl")
let unseen = data.jsonl("new.jsonl", validation = 1)
let flats = data.jsonl("flats.csv")
let files = data.images("views/sea")
let side = data.images("views", max_side = 5)
let skips = data.images("pets", broken = 3)
let never = data.images("pets", broken = data.skip(limit = 0))
let classes = data.images("pets", validation = "views")
