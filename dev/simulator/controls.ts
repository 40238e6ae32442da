import type Router from '@koa/router';
import type { ObjectSchema } from 'joi';
import getRawBody from 'raw-body';

/** A request that a control rejects. */
export class ControlProblem extends Error {
  constructor(
    message: string,
    /** The field that is wrong. */
    readonly param?: string,
  ) {
    super(message);
  }
}

interface ControlOptions {
  /** Runs a control's work as one transaction. */
  transaction<R>(work: () => R): R;
  /** The response for an error, including a `ControlProblem`. */
  failed(error: unknown): { status: number; body: unknown };
}

/**
 * Returns a function that adds a control: `POST path` with a JSON object, which is validated. An empty body
 * is an empty object. `given` is the body without defaults.
 */
export function createControls(router: Router, { transaction, failed }: ControlOptions) {
  return function control<T>(
    path: string,
    schema: ObjectSchema<T>,
    run: (body: T, id: string, given: object) => object | Promise<object>,
  ): void {
    router.post(path, async (ctx) => {
      try {
        const given = parse(await getRawBody(ctx.req, { encoding: 'utf8', limit: '1mb' }));
        const { error, value } = schema.validate(given);
        if (error) throw new ControlProblem(error.message, error.details[0]?.path.join('.'));
        const { id = '' } = ctx['params'] as { id?: string };
        ctx.body = await transaction(() => run(value as T, id, given));
      } catch (error) {
        const { status, body } = failed(error);
        ctx.status = status;
        ctx.body = body;
      }
    });
  };
}

function parse(text: string): object {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Falls through to the same error.
  }
  throw new ControlProblem('The body must be a JSON object.');
}
