import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const COMMAND = new URL('../../node_modules/.bin', import.meta.url).pathname;
const hasNeovim = (process.env.PATH ?? '').split(delimiter).some(directory => existsSync(join(directory, 'nvim')));

const POLICY = `on_http_request:
  - name: office only
    expressions:
      - req.metod == 'GET'
    actions:
    -   type: deny
`;
const TESTS = `policy: p.yaml
tests:
  - name: nobody gets in
    request: { url: / }
    expect: { outcome: denied, rules: { office only: matched } }
`;

/** Everything that a person would do, in one session. Each step waits for what it needs, and writes what it saw. */
const SCRIPT = `
local seen = {}
local function wait(what, condition)
  if not vim.wait(120000, condition, 20) then error('nothing came: ' .. what) end
end
local function ask(method, params)
  local result = vim.lsp.buf_request_sync(0, method, params, 120000)
  for _, answer in pairs(result or {}) do return answer.result end
end
local function codes()
  return vim.tbl_map(function(one) return one.code end, vim.diagnostic.get(0))
end
local function finish()
  vim.fn.writefile({ vim.json.encode(seen) }, 'seen.json')
  vim.cmd('qall!')
end
local ok, problem = pcall(function()
  vim.cmd('edit p.yaml')
  wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  seen.diagnostics = codes()
  vim.api.nvim_win_set_cursor(0, { 4, 12 })
  local params = vim.lsp.util.make_position_params()
  params.position = { line = 3, character = 12 }
  local items = ask('textDocument/completion', params).items
  seen.completion = vim.tbl_map(function(one) return one.label end, items)
  params.position = { line = 3, character = 9 }
  seen.hover = ask('textDocument/hover', params).contents.value
  local context = { diagnostics = {} }
  local range = { start = { line = 3, character = 12 }, ['end'] = { line = 3, character = 17 } }
  local actions = ask('textDocument/codeAction', { textDocument = params.textDocument, range = range, context = context })
  seen.actions = vim.tbl_map(function(one) return one.title end, actions)
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  wait('the fixed diagnostics', function()
    return not vim.tbl_contains(codes(), 'name/undeclared-field')
  end)
  params.position = { line = 1, character = 12 }
  params.newName = 'the office'
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', params), 'utf-16')
  vim.lsp.buf.formatting_sync(nil, 120000)
  vim.cmd('silent wall')
  seen.client = vim.lsp.get_active_clients()[1].name
end)
seen.problem = not ok and tostring(problem) or nil
finish()
`;

describe.skipIf(!hasNeovim)('in Neovim, with the configuration of the guide', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-neovim-'));
  const at = (name: string) => join(directory, name);
  let seen: Readonly<Record<string, unknown>> = {};
  let messages = '';

  beforeAll(async () => {
    const guide = readFileSync(new URL('../../docs/guide/editors.md', import.meta.url), 'utf8');
    const [, configuration = ''] = /From 0\.7 on:\s+```lua\n([\s\S]*?)```/.exec(guide) ?? [];
    writeFileSync(
      at('init.lua'),
      `vim.cmd('filetype on')\nvim.o.swapfile = false\nvim.o.hidden = true\n${configuration}`,
    );
    writeFileSync(at('p.yaml'), POLICY);
    writeFileSync(at('p.test.yaml'), TESTS);
    writeFileSync(at('steps.lua'), SCRIPT);
    const env = { ...process.env, HOME: directory, PATH: `${COMMAND}${delimiter}${process.env.PATH}` };
    const args = ['--headless', '-u', 'init.lua', '-c', 'luafile steps.lua'];
    ({ stderr: messages } = await promisify(execFile)('nvim', args, { cwd: directory, env }));
    seen = JSON.parse(readFileSync(at('seen.json'), 'utf8')) as typeof seen;
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));

  it('shows diagnostics, completes and explains', () => {
    expect(seen.problem, messages).toBeUndefined();
    expect(seen.client).toBe('tollgate');
    expect(seen.diagnostics).toContain('name/undeclared-field');
    expect(seen.completion).toEqual(expect.arrayContaining(['method', 'url']));
    expect(seen.hover).toContain('req');
  });

  it('applies a fix, renames across files, and formats', () => {
    const policy = readFileSync(at('p.yaml'), 'utf8');
    expect(policy).toContain("- req.method == 'GET'");
    expect(policy).toContain('name: the office\n');
    expect(policy).toContain('\n      - type: deny\n');
    expect(readFileSync(at('p.test.yaml'), 'utf8')).toContain('the office: matched');
  });
});
