import type { ConditionMessages } from '../../contracts/training-job.ts';

/** Kubeflow's sentences of a kind that names its jobs by name. */
export const messagesOf = (kind: string, name: string): ConditionMessages => ({
  running: `${kind} ${name} is running.`,
  succeeded: `${kind} ${name} is successfully completed.`,
});

/** The sentence that counts what failed; most kinds write it only where they have just found the job running. */
export const restartingOf = (kind: string, name: string, rule: { readonly whileActive?: boolean } = {}) =>
  ({
    restarting: { message: `${kind} ${name} is restarting because %n %r replica(s) failed.`, ...rule },
  }) satisfies Pick<ConditionMessages, 'restarting'>;

/** Those of a kind that names them by namespace and name. */
export const qualifiedMessagesOf = (kind: string, qualifiedName: string): ConditionMessages => ({
  running: `${kind} ${qualifiedName} is running.`,
  succeeded: `${kind} ${qualifiedName} successfully completed.`,
});
