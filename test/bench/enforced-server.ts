// The server of `enforce.ts`: answers at once, behind a policy or a compiled module if one is given.
//   node --conditions=tollgate-source enforced-server.ts PORT [POLICY]

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { type CompiledModule, createEnforcer, type Enforcer } from '@tollgate/enforce';
import { NODE_HOST, nodeMiddleware } from '@tollgate/enforce/node';
import { analyzePolicy } from '@tollgate/policy';

const [port, file] = process.argv.slice(2);

const handle = (_: IncomingMessage, response: ServerResponse) => {
  response.setHeader('Content-Type', 'text/plain');
  response.end('from the application\n');
};

async function enforcerOf(path: string): Promise<Enforcer> {
  if (path.endsWith('.mjs')) {
    const { createEnforcer: compiled }: CompiledModule = await import(pathToFileURL(path).href);
    return compiled();
  }
  const source = new SourceText(path, readFileSync(path, 'utf8'));
  const { policy, environments } = analyzePolicy(source, { profile: MODERN, endpoint: 'http-endpoint' });
  const created = createEnforcer(policy!, { profile: MODERN, environments, host: NODE_HOST });
  if ('refusals' in created) throw new Error(created.refusals[0]!.message);
  return created.enforcer;
}

async function behindPolicy(path: string): Promise<typeof handle> {
  const enforcer = await enforcerOf(path);
  const middleware = nodeMiddleware(() => enforcer);
  return (request, response) => middleware(request, response, () => handle(request, response));
}

const server = createServer(file === undefined ? handle : await behindPolicy(file));
server.listen(Number(port), '127.0.0.1', () => console.log('listens'));
