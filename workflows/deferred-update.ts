import { CancellationScope, condition, patched } from '@temporalio/workflow';

/**
 * A handler of updates that begins, within the same workflow task, when everything else that came with the update has
 * been dealt with.
 *
 * A worker that reads a history anew may be given an update in one piece with what the job had heard before it, if that
 * had led to nothing; one that reads it later, when the update is in it, is given one after the other
 * (github.com/temporalio/sdk-rust/issues/1146). Whoever waits for the rest does the same both times.
 */
export function deferUntilSettled<Asked, Answer>(
  handle: (asked: Asked) => Answer | Promise<Answer>,
): (asked: Asked) => Promise<Answer> {
  return async (asked) => {
    // Histories of earlier versions did not wait.
    if (patched('updates-after-the-rest')) await settled();
    return handle(asked);
  };
}

function settled(): Promise<void> {
  return CancellationScope.nonCancellable(async () => {
    // After one pass all of it has been heard, after another one it has been acted upon.
    await nextPass();
    await nextPass();
  });
}

/** Conditions are looked at once more when nothing else is left to run. */
function nextPass(): Promise<void> {
  let isNext = false;
  void Promise.resolve().then(() => {
    isNext = true;
  });
  return condition(() => isNext);
}
