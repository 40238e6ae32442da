import type { CardSetup } from '../../../db/entities/collections.js';
import { cardSetupReported } from '../../../contract/cards.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';

/** Has the run of a card setup look at the page. A run that was lost is started again. */
export async function reportCardSetup(
  { temporal, taskQueue }: Pick<ApiDependencies, 'temporal' | 'taskQueue'>,
  { id, workspace_id }: CardSetup,
): Promise<void> {
  await temporal.workflow.signalWithStart(WORKFLOWS.cardSetup, {
    ...starts(taskQueue).cardSetup(id, workspace_id),
    signal: cardSetupReported,
  });
}
