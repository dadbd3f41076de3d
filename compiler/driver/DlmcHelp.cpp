// What --help prints: of all commands, or of one. The flags are those of the table.
#include "compiler/driver/DlmcFlags.h"

namespace dlm {

namespace {

struct CommandHelp {
  DlmcArguments::Command command;
  const char *usage; // behind the name
  const char *doc;
  const char *exitStatus;
};

const std::vector<CommandHelp> &commandHelps() {
  using Arguments = DlmcArguments;
  static const std::vector<CommandHelp> rows = {
      {Arguments::Run, "FILE.dlm [flags] [-- args]",
       "Compiles a program and runs it at once, without a file. Behind `--` stands what the\n"
       "executable would be called with: dlmc run FILE.dlm -- train --steps 100\n"
       "`dlmc run FILE.dlm -- --help` explains the program.\n",
       "that of the program, or 1 if it cannot be compiled"},
      {Arguments::Check, "FILE.dlm [flags]",
       "Reports errors, and makes nothing: in all train blocks, searches, exports and tests.\n",
       "0, or 1 after an error"},
      {Arguments::Test, "FILE.dlm... [flags]",
       "Runs the `test` blocks of files, or of all files in a folder. A line for each says `ok`,\n"
       "`FAILED` or `not run`, and why.\n",
       "0 if there is a test and all were run and passed, else 1"},
      {Arguments::Format, "FILE... [flags]",
       "Lays out programs in place, by the one layout there is. A folder is all .dlm files in\n"
       "it, and `-` is standard input and output, for editors. A file with errors in its syntax\n"
       "stays as it is.\n",
       "0, or 1 after an error, or if --check lists a file"},
      {Arguments::Pack, "TEXT... --tokenizer HOW -o FILE [--end TOKEN]",
       "Makes a file of token ids for `data.tokens` of texts, in their order. The file holds the\n"
       "tokenizer, too: texts for validation are packed with --tokenizer naming the file that was\n"
       "made for training, so that both have one vocabulary.\n",
       "0, or 1 after an error"},
      {Arguments::Explain, "KIND [flags]",
       "Explains a kind of error by a wrong and a right program, as in dlmc explain\n"
       "shape-mismatch. The kind of a message stands in brackets: error[shape-mismatch].\n"
       "Without KIND, lists all kinds.\n",
       "0, or 1 if there is no such kind"},
  };
  return rows;
}

std::string flagText(const DlmcFlag &row) {
  constexpr size_t width = 26;
  std::string value = row.isOptional ? "[=" + row.value + "]" : " " + row.value;
  std::string left = "  " + row.name + (row.value.empty() ? "" : value);
  left.resize(std::max<size_t>(left.size() + 1, width), ' ');
  std::string doc = row.doc;
  for (size_t line = doc.find('\n'); line != std::string::npos; line = doc.find('\n', line + 1))
    doc.insert(line + 1, std::string(width, ' '));
  return left + doc + "\n";
}

std::string helpOf(const CommandHelp &help) {
  std::string text =
      commandName(help.command) + " " + help.usage + "\n\n" + help.doc + "\nflags:\n";
  for (const DlmcFlag &row : dlmcFlags())
    if (row.serves(help.command)) text += flagText(row);
  if (help.command != DlmcArguments::Run)
    text += "  --                      no flags behind this\n";
  return text + "\nExit status: " + help.exitStatus + "\n";
}

} // namespace

std::string dlmcHelp(DlmcArguments::Command command) {
  for (const CommandHelp &help : commandHelps())
    if (help.command == command) return helpOf(help);
  std::string text =
      "dlmc compiles a DLM program to an executable that trains it.\n\n"
      "  dlmc FILE.dlm [-o PROGRAM] [flags]      compile\n"
      "  dlmc run FILE.dlm [flags] [-- args]     compile and run at once, without a file; args "
      "are\n"
      "                                          those of the program, e.g. -- train --steps 100\n"
      "  dlmc check FILE.dlm [flags]             report errors only; --fix mends what is certain\n"
      "  dlmc fmt FILE... [--check]              lay out programs, or list what would change; a\n"
      "                                          folder is all .dlm files in it, - is standard\n"
      "                                          input and output\n"
      "  dlmc test FILE.dlm... [--filter TEXT]   run the tests of files, or of all files in a "
      "folder\n"
      "  dlmc pack TEXT... --tokenizer HOW -o FILE\n"
      "                                          make a file of token ids for `data.tokens`\n"
      "  dlmc explain KIND                       explain a kind of error, e.g. shape-mismatch\n\n"
      "`dlmc COMMAND --help` says more of one, and which flags it takes.\n\n"
      "flags:\n";
  for (const DlmcFlag &row : dlmcFlags())
    if (row.serves(DlmcArguments::Compile)) text += flagText(row);
  return text +
         "  --                      no flags behind this\n"
         "\nExit status: 0, or 1 after an error. The executable explains itself: PROGRAM --help\n";
}

} // namespace dlm
