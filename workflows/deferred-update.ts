import { CancellationScope, condition } from '@temporalio/workflow';

/**
 * Defers an update handler, within the same workflow task, until everything that arrived with the update is handled.
 *
 * A replay may deliver an update together with earlier signals that led to no command; the first execution delivered them
 * one after the other (github.com/temporalio/sdk-rust/issues/1146). Deferring gives the same order in both.
 */
export function deferUntilSettled<Asked, Answer>(
  handle: (asked: Asked) => Answer | Promise<Answer>,
): (asked: Asked) => Promise<Answer> {
  return async (asked) => {
    await settled();
    return handle(asked);
  };
}

function settled(): Promise<void> {
  return CancellationScope.nonCancellable(async () => {
    // The first pass delivers the signals, the second one lets the workflow act on them.
    await nextPass();
    await nextPass();
  });
}

/** Resolves when nothing else is left to run: the SDK then evaluates conditions once more. */
function nextPass(): Promise<void> {
  let isNext = false;
  void Promise.resolve().then(() => {
    isNext = true;
  });
  return condition(() => isNext);
}
