import type { TrainingJob } from '../../../contracts/training-job.ts';
import type { PodMetadata, Replica } from '../../model/framework.ts';
import { labelsOfJob } from './plugins/plugin.ts';
import { pluginsOf } from './plugins/registry.ts';
import { optionsOfTask, PARTITION_LABEL } from './task.ts';

/** Annotations of the job that Volcano's scheduler reads on its pods. */
const PASSED_ON = [
  'volcano.sh/preemptable',
  'volcano.sh/cooldown-time',
  'volcano.sh/revocable-zone',
  'volcano.sh/jdb-min-available',
  'volcano.sh/jdb-max-unavailable',
];

/** Returns the labels and annotations by which people and Volcano's scheduler find the pods of a task. */
export function volcanoMarks(job: TrainingJob, replica: Replica): PodMetadata {
  const { role, index, attempt = 1 } = replica;
  const marks = {
    'volcano.sh/task-spec': role.name,
    'volcano.sh/task-index': `${index}`,
    'volcano.sh/queue-name': job.gang.queue || 'default',
  };
  const size = optionsOfTask(role).partitionPolicy?.partitionSize;
  const ofPlugins = pluginsOf(job).map(({ plugin, args }) => plugin.annotations?.(job, replica, args));
  return {
    selector: { ...labelsOfJob(job), ...marks },
    ...(size ? { labels: { [PARTITION_LABEL]: `${Math.floor(index / size)}` } } : {}),
    annotations: {
      ...Object.fromEntries(
        PASSED_ON.flatMap((name) =>
          job.annotations[name] === undefined ? [] : [[name, job.annotations[name]]],
        ),
      ),
      'volcano.sh/job-name': job.name,
      ...marks,
      'volcano.sh/job-version': `${attempt - 1}`,
      'volcano.sh/job-retry-count': `${attempt - 1}`,
      'volcano.sh/template-uid': `${job.name}-${role.name}`,
      ...Object.assign({}, ...ofPlugins),
    },
  };
}
