import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the times of a collection mean since the outbox relay takes its steps. */
export class CollectionComments1764387000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await comment(runner, {
      next_at: 'When its next step is due; null once nothing is left to do.',
      notify_at:
        'When the outbox relay looks at it: a step is due, something has changed, or its run may be lost. Null: nothing is left to do.',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await comment(runner, {
      next_at: 'When its run acts next; null once nothing is left to do.',
      notify_at: 'When the outbox relay notifies the run (again); null once it has ended.',
    });
  }
}

async function comment(runner: QueryRunner, comments: Record<string, string>): Promise<void> {
  for (const [column, text] of Object.entries(comments))
    await runner.query(`COMMENT ON COLUMN collections.${column} IS '${text}'`);
}
