import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the types and schemas of Envoy's messages as TypeScript, from their description in Protocol Buffers. */
export function envoyMessages(root: URL): string {
  const out = mkdtempSync(join(tmpdir(), 'tollgate-messages-'));
  const bin = fileURLToPath(new URL('node_modules/.bin/', root));
  const plugin = { local: join(bin, 'protoc-gen-es'), out, opt: ['target=ts', 'import_extension=ts'] };
  try {
    execFileSync(
      join(bin, 'buf'),
      ['generate', '--template', JSON.stringify({ version: 'v2', plugins: [plugin] }), FOLDER],
      { cwd: fileURLToPath(root), stdio: ['ignore', 'ignore', 'inherit'] },
    );
    return readFileSync(join(out, 'messages_pb.ts'), 'utf8');
  } finally {
    rmSync(out, { recursive: true });
  }
}

const FOLDER = 'packages/enforce/src/envoy';
