import type { ConditionMessages } from '../../contracts/training-job.ts';

/** Kubeflow's messages for kinds that identify a job by its name. */
export const messagesOf = (kind: string, name: string): ConditionMessages => ({
  running: `${kind} ${name} is running.`,
  succeeded: `${kind} ${name} is successfully completed.`,
});

/** The message that counts failed replicas. Most kinds write it only when they have just seen the job running. */
export const restartingOf = (kind: string, name: string, rule: { readonly whileActive?: boolean } = {}) =>
  ({
    restarting: { message: `${kind} ${name} is restarting because %n %r replica(s) failed.`, ...rule },
  }) satisfies Pick<ConditionMessages, 'restarting'>;

/** Kubeflow's messages for kinds that identify a job by namespace and name. */
export const qualifiedMessagesOf = (kind: string, qualifiedName: string): ConditionMessages => ({
  running: `${kind} ${qualifiedName} is running.`,
  succeeded: `${kind} ${qualifiedName} successfully completed.`,
});
