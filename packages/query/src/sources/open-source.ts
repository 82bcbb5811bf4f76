import type { ReadTrafficOptions } from '@tollgate/traffic';
import { inspectTraffic } from '@tollgate/traffic/columns';
import { Unsuited } from '../columns/unsuited.ts';
import type { Session } from '../duckdb/session.ts';
import { openJsonLines } from './json-source.ts';
import { openParquet } from './parquet-source.ts';
import type { RecordingFile } from './recording-file.ts';
import type { HeaderColumns, Source } from './source.ts';

/** Opens recordings. Throws {@link Unsuited} if the engine cannot read them as `readTraffic` does. */
export async function openSource(
  session: Session,
  files: readonly string[],
  { headers, ...options }: ReadTrafficOptions & { readonly headers: HeaderColumns },
): Promise<Source> {
  const found: RecordingFile[] = [];
  for (const file of files) found.push(await inspect(file, options));
  const formats = new Set(found.map(({ format }) => format));
  if (formats.size > 1) throw new Unsuited('the files have several formats');
  const [format] = formats;
  if (format === 'json-lines') return openJsonLines(found, options, headers);
  if (format === 'parquet') return openParquet(session, found, { ...options, headers });
  throw new Unsuited(`DuckDB does not read the format \`${format}\``);
}

async function inspect(file: string, options: ReadTrafficOptions): Promise<RecordingFile> {
  // DuckDB would treat these as a glob pattern.
  if (/[*?[\]{}]/.test(file)) throw new Unsuited(`the name of \`${file}\` is a glob pattern to DuckDB`);
  const found = await inspectTraffic(file, options);
  if (found === undefined) throw new Unsuited(`\`${file}\` is not a readable file`);
  if (found.isWrapped) throw new Unsuited(`the lines of \`${file}\` are wrapped`);
  return { ...found, file };
}
