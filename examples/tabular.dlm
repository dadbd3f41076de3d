// tabular.dlm: a table with numbers and names, some of which are missing: which of three species is
// a penguin that was measured at Palmer Station (Gorman et al., 2014)? The table is a file of the
// Debian package r-cran-palmerpenguins, which need not be installed for it:
//
//   apt-get download r-cran-palmerpenguins
//   dpkg --fsys-tarfile *penguins*.deb | tar -xO --wildcards '*/penguins.csv' > penguins.csv
//
// Of 103 penguins that it has not seen, it names 102 right; it takes 0.1 s.
// Expect: test.accuracy >= 0.97
use nn, optim, schedule, data

option lr         = 3e-3  /// learning rate at its peak
option batch_size = 32    /// samples per step

let penguins = data.csv(
  "penguins.csv",
  label   = "species",
  test    = 30%,
  split   = shuffled,
  columns = [
    "bill_length_mm"    => data.number(missing = allowed),
    "bill_depth_mm"     => data.number(missing = allowed),
    "flipper_length_mm" => data.number(missing = allowed),
    "body_mass_g"       => data.number(missing = allowed),
    "island"            => data.category(),
    "sex"               => data.category(),
  ],
)

/// Numbers as deviations from their mean, 0 where one is missing; a vector for each category.
model Features(columns: data.Columns, width: int) {
  buffer centre: f32[columns.numbers] = data.fit(columns, fn(c) {
    mean(c.number, where = c.present)
  })
  buffer spread: f32[columns.numbers] = data.fit(columns, fn(c) {
    std(c.number, where = c.present)
  })
  let tables = [nn.Embedding(c.size, width) for c in columns.categories]

  fn forward(number: f32[B, N], present: bool[B, N], category: i32[B, C]) {
    let x = where(present, (number - centre) / spread, 0)
    let names = [tables[i](category[:, i]) for i in 0..C]
    concat([x, cast(present, f32)] + names, over = -1)
  }
}

train tabular {
  let columns  = penguins.columns
  let features = Features(columns, width = 4)
  let net      = nn.MLP([2 * columns.numbers + 4 * len(columns.categories), 32, penguins.classes])
  data  = penguins
  batch = batch_size

  fn logits(batch)  { net(features(batch.number, batch.present, batch.category)) }
  fn loss(batch)    { cross_entropy(logits(batch), batch.label) }
  fn metrics(batch) { (accuracy = accuracy(logits(batch), batch.label)) }
  fn predict(batch) { (species = argmax(logits(batch), over = -1)) }

  optimizer = optim.AdamW(lr = schedule.cosine(peak = lr))
  duration  = 30 epochs
  seed      = 1
}
