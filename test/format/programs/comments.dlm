//first


// second
let a = [ // behind the bracket
  1, // one
  2 // two
  // above the end
]
let b = x // b
  |> f // f
// in between
  |> g // g
fn h(x, // why x
y) { // block
  // only
  // two

  let z = x /// not documentation

  // z is
  z  } // end
option width   = 64 /// documented
option n = f(1, /// moves up
  2)
let c = 1; // one
let d = 2; let e = 3   // both
model Empty() {
  // nothing yet
}
      // last


