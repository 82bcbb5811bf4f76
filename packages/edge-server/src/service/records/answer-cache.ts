/** A cached response, valid while its record has this revision. */
export interface CachedAnswer {
  readonly revision: number;
  /** JSON in UTF-8, ready to send. */
  readonly text: Buffer;
  /** The secrets that cannot be decrypted. */
  readonly lacks?: readonly string[];
  /** The stamp of the store when the record was read; while it is unchanged, the response is valid. */
  readonly stamp: number | undefined;
}

/** A least-recently-used cache of responses. */
export interface AnswerCache {
  readonly get: (key: string) => CachedAnswer | undefined;
  readonly set: (key: string, answer: CachedAnswer) => void;
}

/** Creates a cache that holds at most `capacity` bytes. */
export function createAnswerCache(capacity: number): AnswerCache {
  const answers = new Map<string, CachedAnswer>();
  let size = 0;
  const drop = (key: string, { text }: CachedAnswer) => {
    answers.delete(key);
    size -= key.length + text.length;
  };
  return {
    get: key => {
      const found = answers.get(key);
      if (found) {
        answers.delete(key);
        answers.set(key, found);
      }
      return found;
    },
    set: (key, answer) => {
      const before = answers.get(key);
      if (before) drop(key, before);
      answers.set(key, answer);
      size += key.length + answer.text.length;
      for (const [oldest, value] of answers) {
        if (size <= capacity) break;
        drop(oldest, value);
      }
    },
  };
}
