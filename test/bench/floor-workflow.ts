import { allHandlersFinished, condition, defineUpdate, setHandler } from '@temporalio/workflow';

/** The update that comes with the start; its handler has nothing to do. */
export const touch = defineUpdate('touch');

/** The least that Temporal can be asked for when a caller waits for an answer: one workflow task, then over. */
export async function floor(): Promise<void> {
  let touched = false;
  setHandler(touch, () => {
    touched = true;
  });
  await condition(() => touched);
  await condition(allHandlersFinished);
}
