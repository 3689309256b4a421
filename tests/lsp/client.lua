-- Neovim as the client: findings arrive, hover and formatting are answered.
local function fail(message)
  io.stderr:write("neovim: " .. message .. "\n")
  vim.cmd("cquit")
end

local path = vim.fn.tempname() .. ".kif"
vim.fn.writefile({ "(role   me)", "(init (at 1))", "(legal me go)", "(goal me 100)", "(<= terminal (true (att 1)))" }, path)
vim.cmd("edit " .. path)
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ cmd = { vim.env.LUDENS, "lsp" }, name = "ludens" })
if not id then fail("the server does not start") end
vim.lsp.buf_attach_client(buffer, id)
local arrived = vim.wait(20000, function() return #vim.diagnostic.get(buffer) > 0 end, 20)
if not arrived then fail("no findings") end
local first = vim.diagnostic.get(buffer)[1]
if not first.message:find("did you mean `at`") then fail("another finding: " .. first.message) end

local position = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = 0, character = 2 } }
local answers = vim.lsp.buf_request_sync(buffer, "textDocument/hover", position, 20000)
local hover = answers and answers[id] and answers[id].result
if not hover or not hover.contents.value:find("a player of the game", 1, true) then fail("no help for `role`") end

local options = { textDocument = position.textDocument, options = { tabSize = 4, insertSpaces = true } }
answers = vim.lsp.buf_request_sync(buffer, "textDocument/formatting", options, 20000)
local edits = answers and answers[id] and answers[id].result
if not edits or #edits ~= 1 then fail("no formatting") end
vim.lsp.util.apply_text_edits(edits, buffer, "utf-16")
if vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] ~= "(role me)" then fail("wrong formatting") end
print("neovim: all is well\n")
vim.lsp.stop_client(id)
vim.cmd("qall!")
