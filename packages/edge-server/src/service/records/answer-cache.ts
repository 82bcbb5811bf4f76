/** An answer that holds while its record has this revision. */
export interface CachedAnswer {
  readonly revision: number;
  /** JSON in UTF-8: what is sent as it is need not be encoded each time. */
  readonly text: Buffer;
  /** Of the store when it was read: while the store has it, nothing needs to be asked. */
  readonly stamp: number | undefined;
}

/** Answers made before, the ones longest unused forgotten first. */
export interface AnswerCache {
  readonly get: (key: string) => CachedAnswer | undefined;
  readonly set: (key: string, answer: CachedAnswer) => void;
}

/** A cache of at most so many bytes. */
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
