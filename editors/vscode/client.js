// Starts the language server for DLM files. Without the client library (`npm install` fetches it)
// the extension gives colours only.
let client;

exports.activate = () => {
  let library;
  try {
    library = require("vscode-languageclient/node");
  } catch (error) {
    return undefined;
  }
  const command = require("vscode").workspace.getConfiguration("dlm").get("server");
  client = new library.LanguageClient(
    "dlm",
    "DLM",
    { command },
    { documentSelector: [{ scheme: "file", language: "dlm" }] }
  );
  return client.start();
};

exports.deactivate = () => (client ? client.stop() : undefined);
