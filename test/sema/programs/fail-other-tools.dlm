// flags: --every-train
// Names of other tools, each with the way it is said here.
use nn, optim, data

let fashion = data.idx("tiny", validation = 2)
let (a, b) = train_test_split(fashion, test_size = 0.2)
let loader = DataLoader(fashion, batch_size = 64)
let table = data.read_csv("table.csv")

train t {
  let net = nn.MLP([6, 4, 3], act = "relu")
  let layers = nn.Chain([nn.Linear(6, 3), ReLU(), nn.Dropout(p = 0.5)])
  let rows = nn.Embedding(num_embeddings = 10, embedding_dim = 4)
  data = fashion
  batch = 2
  fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }
  fn loss(batch) {
    cross_entropy(net(flat(batch)), batch.label, weight = [1, 2, 1])
  }
  fn metrics(batch) {
    (
      f1 = f1_score(batch.label, batch.label),
      r2 = r2_score(batch.label, batch.label),
      middle = median(flat(batch)),
      auc = roc_auc_score(batch.label, batch.label),
      numbers = np.array([1, 2]),
    )
  }
  optimizer = optim.Adam()
  duration = 3 epochs
  early_stopping { patience = 5 }
}

train u {
  let net = nn.Linear(6, 3)
  data = fashion
  batch = 2
  fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }
  fn loss(batch) { cross_entropy(net(flat(batch)), batch.label) }
  optimizer = optim.Adam
  duration = 3 epochs
  early_stopping = 5
}
