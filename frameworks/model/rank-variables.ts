/** The variables in which kinds pass a pod its rank in the job. Other kinds number processes only when they run. */
export const RANK_VARIABLES: ReadonlySet<string> = new Set(['RANK', 'PROCESS_ID', 'PADDLE_TRAINER_ID']);
