import { UsageError } from './usage-error.ts';

/** Asks a person a question on the terminal and returns the line that is typed. @throws UsageError if input ends or is interrupted */
export async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.once('close', () => reject(new UsageError('cancelled')));
      reader.once('SIGINT', () => reader.close());
      reader.question(question).then(resolve, reject);
    });
  } finally {
    reader.close();
  }
}
