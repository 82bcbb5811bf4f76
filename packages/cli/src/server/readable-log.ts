import { printable } from '@tollgate/diagnostics';

const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const HIDDEN = new Set(['level', 'time', 'msg', 'op', 'key']);

/** Returns a JSON line of the server log in readable form. */
export function readableLog(line: string): string {
  const entry = parsed(line);
  if (!entry) return line;
  const { msg, method, path, status, ms, operation } = entry;
  // The greeting already shows the address.
  if (String(msg).startsWith('Server listening')) return '';
  if (msg === 'request') return `${status} ${method} ${printable(String(path))} (${operation}, ${ms} ms)\n`;
  const rest = Object.entries(entry).filter(([name, value]) => !HIDDEN.has(name) && value !== undefined);
  const facts = rest.map(([name, value]) => `${name}=${shown(value)}`).join(' ');
  return `${LEVELS[Number(entry.level)] ?? 'info'}: ${msg}${facts === '' ? '' : ` ${facts}`}\n`;
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function shown(value: unknown): string {
  if (isRecord(value)) return String(value.stack ?? value.message ?? JSON.stringify(value));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
