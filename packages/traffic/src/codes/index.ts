import type { CodeDescription, CodeExample } from '@tollgate/diagnostics';

const traffic = (text: string): CodeExample => ({ kind: 'traffic', text });
const LINE = '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12';
const har = (entry: string): CodeExample => traffic(`{"log": {"entries": [${entry}]}}`);
const ENTRY = '{"request": {"method": "GET", "url": "https://example.com/", "headers": []}}';
const SKIPPED = 'The record is left out of the replay, and counted with its place.';

/** Why recorded traffic cannot be read, or a record of it is skipped. */
export const TRAFFIC_CODES: readonly CodeDescription[] = [
  {
    code: 'traffic/malformed-line',
    kind: 'skipped-record',
    severity: 'warning',
    summary: 'a line that is not of the common or combined log format',
    rationale: `Servers mix other lines into their logs, and formats can be configured. ${SKIPPED}`,
    bad: traffic(`${LINE}\nserver restarted\n`),
    good: traffic(`${LINE}\n`),
  },
  {
    code: 'traffic/line-too-long',
    kind: 'skipped-record',
    severity: 'warning',
    summary: 'a line that is too long',
    rationale: `A line of more than 256 Ki characters is no record of a request that a server took. ${SKIPPED}`,
    bad: { ...traffic(`${LINE}\n…\n`), stands: { mark: '…', for: 'a', times: 300_000 } },
    good: traffic(`${LINE}\n`),
  },
  {
    code: 'traffic/no-request',
    kind: 'skipped-record',
    severity: 'warning',
    summary: 'a connection on which no request was received',
    rationale: `Servers write a line also for connections that were closed or that spoke no HTTP. ${SKIPPED}`,
    bad: traffic(`${LINE}\n192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "-" 408 0\n`),
    good: traffic(`${LINE}\n`),
  },
  {
    code: 'traffic/malformed-entry',
    kind: 'skipped-record',
    severity: 'warning',
    summary: 'an entry of a HAR file without a request that can be read',
    rationale: `An entry needs a \`request\` with a URL. ${SKIPPED}`,
    bad: har(`${ENTRY}, {"response": {}}`),
    good: har(ENTRY),
  },
  {
    code: 'traffic/entry-too-large',
    kind: 'skipped-record',
    severity: 'warning',
    summary: 'an entry of a HAR file that is too large',
    rationale: `An entry without its bodies takes some kilobytes; one of more than 16 MiB would take memory for nothing. ${SKIPPED}`,
    bad: {
      ...har(`${ENTRY}, {"request": {"method": "GET", "url": "https://example.com/…", "headers": []}}`),
      stands: { mark: '…', for: 'a', times: 17_000_000 },
    },
    good: har(ENTRY),
  },
  {
    code: 'traffic/not-http',
    kind: 'skipped-record',
    severity: 'warning',
    summary: 'an entry that is no HTTP request',
    rationale: `Browsers record \`data:\` and \`blob:\` URLs as well, which no edge sees. ${SKIPPED}`,
    bad: har(`${ENTRY}, {"request": {"method": "GET", "url": "data:,a", "headers": []}}`),
    good: har(ENTRY),
  },
  {
    code: 'traffic/served-from-cache',
    kind: 'skipped-record',
    severity: 'warning',
    summary: 'an entry that the browser answered itself',
    rationale: `What the browser's own cache answers, no edge sees. ${SKIPPED}`,
    bad: har(
      `${ENTRY}, {"_fromCache": "memory", "request": {"method": "GET", "url": "https://example.com/", "headers": []}}`,
    ),
    good: har(ENTRY),
  },
  {
    code: 'traffic/unknown-format',
    kind: 'failure',
    severity: 'error',
    summary: 'a file that is no recorded traffic',
    rationale: 'The beginning of the file is neither JSON nor does it hold a line of an access log.',
    remedy: 'Say the format with `--traffic-format` where the first lines mislead.',
    bad: traffic('one\ntwo\n'),
    good: traffic(`${LINE}\n`),
  },
  {
    code: 'traffic/malformed-har',
    kind: 'failure',
    severity: 'error',
    summary: 'a HAR file that is not JSON, or has no entries',
    rationale:
      'A HAR file is one JSON document with a list at `log.entries`. Of one that is cut off or damaged, the entries before that are in the report.',
    remedy: 'Export the traffic again.',
    bad: traffic('{"log": {}}'),
    good: har(ENTRY),
  },
  {
    code: 'traffic/malformed-geo-database',
    kind: 'failure',
    severity: 'error',
    summary: 'a file that is no MaxMind DB file, or a damaged one',
    rationale: 'Where clients are is looked up in databases of the format MaxMind DB, whose files end in `.mmdb`.',
    remedy: 'Name the database itself: downloads are archives with the database inside.',
    withoutExample: 'it takes a file that the command is told to look addresses up in',
  },
  {
    code: 'file/not-found',
    kind: 'failure',
    severity: 'error',
    summary: 'a file of traffic that does not exist',
    rationale: 'Nothing of that name can be read.',
    bad: { kind: 'command', text: 'tollgate replay examples/policies/bookshop.yaml missing.log' },
    good: { kind: 'command', text: 'tollgate replay examples/policies/bookshop.yaml examples/traffic/access.log' },
  },
  {
    code: 'file/no-permission',
    kind: 'failure',
    severity: 'error',
    summary: 'a file of traffic that may not be read',
    rationale: 'The file exists, and its permissions keep the user who runs the command from reading it.',
    withoutExample: 'it depends on the permissions of a file',
  },
  {
    code: 'file/is-directory',
    kind: 'failure',
    severity: 'error',
    summary: 'a directory where a file of traffic was expected',
    rationale: 'Recorded traffic is named file by file.',
    remedy: 'Let the shell list them: `traffic/*.log`.',
    bad: { kind: 'command', text: 'tollgate replay examples/policies/bookshop.yaml examples/traffic' },
    good: { kind: 'command', text: 'tollgate replay examples/policies/bookshop.yaml examples/traffic/access.log' },
  },
  {
    code: 'file/corrupt-gzip',
    kind: 'failure',
    severity: 'error',
    summary: 'compressed traffic that is damaged',
    rationale:
      'The data of gzip ends too early, or its check sum is wrong. What was read before that is in the report.',
    remedy: 'Copy or export the file again.',
    withoutExample: 'it takes a file of bytes, which is no text',
  },
];
