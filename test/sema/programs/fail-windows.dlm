// What does not fit between texts and what is said of them.
use data

let lost = data.text("lost.text", tokenizer = data.chars(), window = 8)
let short = data.text("letters.text", tokenizer = data.chars(), window = 18)
let latin = data.text("latin.text", tokenizer = data.chars(), window = 2)
let unread = data.text("verses.text", tokenizer = data.bpe("lost.json"), window = 2)
let foreign = data.text("verses.text", tokenizer = data.bpe("letters.json"), window = 2)
let no_json = data.text("verses.text", tokenizer = data.bpe("verses.text"), window = 2)
let not_text = data.text("verses.text", tokenizer = data.number(), window = 2)
let empty = data.text("verses.text", tokenizer = data.chars(), window = 0)
let no_part = data.text("verses.text", tokenizer = data.chars(), window = 2, test = "lost.text")
let no_tokens = data.tokens("*.text", window = 2)
let no_files = data.tokens("*.tokens", window = 2)
