import { ExternalError } from '@tollgate/diagnostics';
import { SKIP_REASONS, type SkippedRecord } from '../exchange/batch.ts';
import { formatLocation } from '../exchange/record-location.ts';

/** Input without a single exchange. */
interface NothingRead {
  /** One or more. */
  readonly files: readonly string[];
  /** The number of skipped records. */
  readonly skipped: number;
  /** One of them. */
  readonly example: SkippedRecord | undefined;
  /** The option that would let its fields be read, as it seems: `--fields 'time=ts'`. */
  readonly cure?: string | undefined;
}

/** Returns the error `traffic/nothing-read`, which says whether the input is empty or all of its records were skipped. */
export function nothingRead({ files, skipped, example, cure }: NothingRead): ExternalError {
  const input = files.length === 1 ? `\`${files[0]}\`` : `${files.length} files`;
  const [why, remedy] =
    skipped === 0
      ? [`${files.length === 1 ? 'it has' : 'they have'} no records`, '']
      : whySkipped(skipped, example, cure);
  return new ExternalError(
    'traffic/nothing-read',
    `no exchange in ${input}: ${why}; ${remedy}use \`--allow-empty\` if that is expected`,
  );
}

function whySkipped(
  skipped: number,
  example: SkippedRecord | undefined,
  cure: string | undefined,
): readonly [why: string, remedy: string] {
  const all =
    skipped === 1 ? 'its only record was skipped' : `all ${skipped.toLocaleString('en-US')} records were skipped`;
  if (example === undefined) return [all, ''];
  const { place, reason, detail } = example;
  const because = `${SKIP_REASONS[reason]}${detail === undefined ? '' : `, ${detail}`}`;
  if (cure !== undefined) return [`${all} (\`${formatLocation(place)}\`: ${because})`, `try \`${cure}\`, or `];
  const remedy = reason === 'traffic/malformed-line' ? 'check `--traffic-format` and `--log-format`, or ' : '';
  return [`${all} (\`${formatLocation(place)}\`: ${because})`, remedy];
}
