use data
let absent = data.idx("nowhere")
train t {
  data = absent
}
