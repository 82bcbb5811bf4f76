import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** A program that exercises a published client, and prints what each resource did. */
export interface ClientProgram {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** The results of a client's steps, by resource; `ok`, or what went wrong. */
export type Steps = Readonly<Record<string, readonly string[]>>;

/** Runs a client's program against a server. @throws Error with its output if it prints no results */
export async function runClient(
  { command: [file, ...args], env }: ClientProgram,
  server: { readonly baseUrl: string; readonly token: string },
  caPem: string,
): Promise<Steps> {
  const child = spawn(file, [...args, server.baseUrl, server.token], { env: { ...process.env, ...env } });
  child.stdin.end(caPem);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (!output.startsWith('{')) throw new Error(`${file} printed no results: ${output}${errors}`);
  return JSON.parse(output) as Steps;
}
