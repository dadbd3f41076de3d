// The name of a module is a path, and what is said names the file that was looked for.
use layers.attention
use zz
