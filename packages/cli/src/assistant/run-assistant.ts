// `tollgate mcp`: serves the tools of assistants over the Model Context Protocol, on standard input and output.

import { realpathSync, statSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ExternalError, fileProblem, jsonText } from '@tollgate/diagnostics';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { type OwnCommandRun, runOwnCommand } from '../process/own-command.ts';
import { VERSION } from '../process/version.ts';
import { AssistantError, openFiles } from './allowed-files.ts';
import { type Answer, fit } from './answers.ts';
import { TOOLS, type Tool } from './tools.ts';

/** The budgets of one command. */
const BUDGET = { seconds: 60, heapMiB: 1024 };

const INSTRUCTIONS =
  'Tollgate checks, describes, traces, replays, compares and proves traffic policies. Write policies for the profile `modern` unless ' +
  'told otherwise. After each change call `check_policy`; then `describe_policy` to see whether it says what was asked for, and ' +
  '`trace_request` or `prove_policy` for what must hold. Nothing here publishes or changes files.';

/** Serves until the client closes standard input. Files below the directories may be read. */
export async function runAssistant(directories: readonly string[]): Promise<ExitCode> {
  const allowed = directories.map(realDirectory);
  let close = () => {};
  const closed = new Promise<void>(resolve => {
    close = resolve;
  });
  process.stdin.once('close', close);
  process.stdin.once('end', close);
  serveStdio(() => createServer(allowed));
  await closed;
  return EXIT.clean;
}

function realDirectory(path: string): string {
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (cause) {
    throw new ExternalError('file/unreadable', `cannot read the directory \`${path}\`: ${fileProblem(cause)}`, {
      cause,
    });
  }
  throw new ExternalError('file/unreadable', `\`${path}\` is not a directory`);
}

/** Creates a server with all tools; the same for both eras of the protocol. */
function createServer(directories: readonly string[]): McpServer {
  const server = new McpServer(
    { name: 'tollgate', title: 'Tollgate', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  for (const tool of TOOLS) {
    const { name, title, description, input: inputSchema, output: outputSchema } = tool;
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations },
      async (input, { mcpReq }) => answered(tool, input, directories, mcpReq.signal),
    );
  }
  return server;
}

async function answered(tool: Tool, input: unknown, directories: readonly string[], signal: AbortSignal) {
  const files = openFiles(directories);
  const run = async (args: readonly string[]) => {
    const { output, errors, ...ended } = await runWithin(args, signal);
    return { ...ended, output: files.rename(output), errors: files.rename(errors) };
  };
  try {
    const answer: Answer = fit(await tool.answer(input, { files, run }));
    return { structuredContent: answer, content: [{ type: 'text' as const, text: jsonText(answer) }] };
  } catch (error) {
    if (!(error instanceof AssistantError)) throw error;
    return { isError: true, content: [{ type: 'text' as const, text: error.message }] };
  } finally {
    files.remove();
  }
}

/** Runs a command that trusts nothing, within budgets of time and memory. */
async function runWithin(args: readonly string[], signal: AbortSignal): Promise<OwnCommandRun> {
  const timeout = AbortSignal.timeout(BUDGET.seconds * 1000);
  const env = { TOLLGATE_TRUST: 'skip', NO_COLOR: '1', NODE_OPTIONS: `--max-old-space-size=${BUDGET.heapMiB}` };
  const run = await runOwnCommand(args, { env, signal: AbortSignal.any([timeout, signal]) });
  if (timeout.aborted)
    throw new AssistantError(`this takes longer than ${BUDGET.seconds} s; send less traffic, or a smaller policy`);
  if (run.code === undefined)
    throw new AssistantError(`this was ended; it may need more than ${BUDGET.heapMiB} MiB; send less`);
  return run;
}
