/**
 * Runs a command and draws its output as an SVG terminal:
 *
 *     node scripts/picture-terminal.ts TITLE OUTPUT.svg COMMAND [ARG…]
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const CELL = { width: 8.43, height: 19 };
const MARGIN = 18;
const TITLE_BAR = 34;
const COLUMNS = 124;

/** The SGR codes that the reporters print. */
const STYLES: Readonly<Record<string, string>> = {
  1: 'font-weight:600',
  2: 'opacity:.62',
  31: 'fill:#ff7b72',
  32: 'fill:#7ee787',
  33: 'fill:#f2cc60',
  34: 'fill:#79c0ff',
  35: 'fill:#d2a8ff',
  36: 'fill:#76e3ea',
  90: 'fill:#8b949e',
  91: 'fill:#ffa198',
  92: 'fill:#aff5b4',
  93: 'fill:#f8e3a1',
  94: 'fill:#a5d6ff',
};

/** The codes that end each style. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  0: Object.keys(STYLES),
  22: ['1', '2'],
  39: Object.keys(STYLES).filter(code => Number(code) > 2),
};

/** Replaces spaces with non-breaking ones, because SVG collapses runs of spaces. */
function escapeXml(text: string): string {
  return text.replaceAll(' ', '\u00a0').replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`);
}

function drawLine(line: string, row: number, active: Set<string>): string {
  const spans: string[] = [];
  let column = 0;
  for (const [, codes, text = ''] of line.matchAll(/(?:\u001b\[([\d;]*)m)?([^\u001b]*)/g)) {
    for (const code of codes?.split(';') ?? []) {
      for (const ended of ENDS[code === '' ? '0' : code] ?? []) active.delete(ended);
      if (code in STYLES) active.add(code);
    }
    if (text === '') continue;
    const style = [...active].map(code => STYLES[code]).join(';');
    const x = (MARGIN + column * CELL.width).toFixed(2);
    spans.push(`<tspan x="${x}"${style && ` style="${style}"`}>${escapeXml(text)}</tspan>`);
    column += [...text].length;
  }
  const y = TITLE_BAR + MARGIN + row * CELL.height;
  return `<text y="${y}">${spans.join('')}</text>`;
}

/** Breaks a line where a terminal does. */
function wrapped(line: string): readonly string[] {
  return (
    line.match(new RegExp(`(?:(?:\\u001b\\[[\\d;]*m)*[^\\u001b]){1,${COLUMNS}}(?:\\u001b\\[[\\d;]*m)*`, 'gu')) ?? [line]
  );
}

function draw(title: string, output: string): string {
  const lines = output.replace(/\n+$/, '').split('\n').flatMap(wrapped);
  const active = new Set<string>();
  const width = Math.ceil(COLUMNS * CELL.width + 2 * MARGIN);
  const height = TITLE_BAR + MARGIN + lines.length * CELL.height;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, at) => `<circle cx="${20 + at * 20}" cy="17" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
${dots.join('')}
<text x="${width / 2}" y="22" text-anchor="middle" fill="#8b949e" font-family="sans-serif" font-size="13">${escapeXml(title)}</text>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#e6edf3" xml:space="preserve" style="white-space:pre">
${lines.map((line, row) => drawLine(line, row, active)).join('\n')}
</g>
</svg>
`;
}

const [title, file, command, ...args] = process.argv.slice(2);
if (title === undefined || file === undefined || command === undefined) {
  console.error('usage: picture-terminal.ts TITLE OUTPUT.svg COMMAND [ARG…]');
  process.exitCode = 2;
} else {
  const env = { ...process.env, FORCE_COLOR: '1', COLUMNS: String(COLUMNS) };
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', env });
  if (error) throw error;
  writeFileSync(file, draw(title, stdout + stderr));
}
