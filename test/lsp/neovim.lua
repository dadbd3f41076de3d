-- Neovim as a user has it after reading editors/README.md, whose lines are run first: opens, reads,
-- edits and closes a program, and prints what it saw. neovim_test.py compares.
local function say(...) io.stdout:write(table.concat({ ... }, " "), "\n") end
local function until_true(what, condition)
  if not vim.wait(20000, condition, 20) then
    say("waited in vain: " .. what)
    vim.cmd("cquit")
  end
end

dofile(vim.env.DLM_SETUP)
vim.cmd.edit("a.dlm")
local buffer = vim.api.nvim_get_current_buf()
local function line(n) return vim.api.nvim_buf_get_lines(buffer, n - 1, n, false)[1] end
local function at(n, column) vim.api.nvim_win_set_cursor(0, { n, column }) end
local function messages(what, count)
  until_true(what, function() return #vim.diagnostic.get(buffer) == count end)
  for _, each in ipairs(vim.diagnostic.get(buffer)) do
    say(what, each.lnum + 1, each.col, each.end_col, each.code, vim.split(each.message, "\n")[1])
  end
end

say("file type", vim.bo.filetype)
messages("opened:", 1)

at(5, 9)
vim.lsp.buf.definition()
until_true("definition", function() return vim.api.nvim_win_get_cursor(0)[1] == 4 end)
say("definition", vim.api.nvim_win_get_cursor(0)[1], vim.api.nvim_win_get_cursor(0)[2])

vim.lsp.buf.hover()
local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then return window end
  end
end
until_true("hover", float)
local shown = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float()), 0, -1, false)
say("hover", table.concat(shown, " "))
vim.api.nvim_win_close(float(), true)

at(3, 13)
vim.lsp.buf.code_action({ apply = true })
until_true("the edit", function() return line(3) == "let wrong = width + 1" end)
messages("mended:", 0)

vim.api.nvim_buf_set_lines(buffer, 5, 5, false, { 'let z = "ä𝄞" + 𝄞 + nn.Li' })
messages("typed:", 1)
vim.api.nvim_buf_set_text(buffer, 5, 8, 5, #line(6), { "nn.Li" })
until_true("the member", function()
  local now = vim.diagnostic.get(buffer)
  return #now == 1 and now[1].code == "unknown-member"
end)
at(6, 12)
vim.cmd("startinsert!")
local place = vim.lsp.util.make_position_params(0, "utf-16")
place.position.character = 13
local answer = vim.lsp.buf_request_sync(buffer, "textDocument/completion", place, 20000)
local labels = {}
for _, each in pairs(answer) do
  for _, item in ipairs(each.result.items or each.result) do table.insert(labels, item.label) end
end
say("completion", vim.tbl_contains(labels, "Linear") and "has Linear" or vim.inspect(labels))

vim.api.nvim_buf_set_lines(buffer, 5, 6, false, { "let  z=nn . Linear" })
messages("whole again:", 0)
vim.lsp.buf.format({ timeout_ms = 20000 })
say("formatted", line(6))
at(6, 12)
vim.lsp.buf.definition()
until_true("the library", function() return vim.api.nvim_get_current_buf() ~= buffer end)
say("library", vim.fs.basename(vim.api.nvim_buf_get_name(0)), vim.bo.readonly and "read-only" or "")
messages("library:", 0)

vim.cmd("buffer " .. buffer)
vim.cmd("silent write")
vim.cmd("bdelete!")
vim.lsp.enable("dlm", false)
for _, client in ipairs(vim.lsp.get_clients()) do client:stop() end
until_true("the end", function() return #vim.lsp.get_clients() == 0 end)
say("stopped")
vim.cmd("qall!")
