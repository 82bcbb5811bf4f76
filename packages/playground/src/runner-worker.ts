// The worker that runs policies. The page ends it to stop what takes too long.

import type { Job, JobMessage } from './jobs.ts';
import { runJob } from './runner/run-job.ts';

const say = (message: JobMessage) => self.postMessage(message);

self.onmessage = ({ data: { id, job } }: MessageEvent<{ readonly id: number; readonly job: Job }>) => {
  runJob(job, progress => say({ id, progress }))
    .then(result => say({ id, result }))
    // An error of the worker, which the page sees.
    .catch(reportError);
};
