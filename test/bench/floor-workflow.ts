import { allHandlersFinished, condition, defineUpdate, setHandler } from '@temporalio/workflow';

/** The update sent with the start. Its handler does nothing. */
export const touch = defineUpdate('touch');

/** The minimum work for Temporal when a caller waits for a result: one workflow task, then completion. */
export async function floor(): Promise<void> {
  let touched = false;
  setHandler(touch, () => {
    touched = true;
  });
  await condition(() => touched);
  await condition(allHandlersFinished);
}
