// flags: -Dwidth=3
// `-D` for a program without options.
let width = 2 * 3
