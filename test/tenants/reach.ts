import { parse } from 'libpg-query';
import { getMetadataArgsStorage } from 'typeorm';
import { ENTITIES } from '../../db/entities.js';

/** A node of libpg_query's tree: an object with one property, its kind, or a list of nodes. */
type Node = any; // oxlint-disable-line typescript/no-explicit-any

/** A table, CTE or subquery in a FROM clause. `names` of a subquery are unknown. */
interface Source {
  table: string | null;
  /** Whether it is an INSERT, whose columns specify its workspace. */
  inserts?: boolean;
}

interface Scope {
  parent: Scope | null;
  sources: Map<string, number>;
  ctes: Map<string, number>;
}

interface Column {
  source: number;
  name: string;
}

/**
 * What a condition guarantees: sources that have one workspace or object, and pairs of
 * rows that belong together.
 */
interface Guarantees {
  bound: Set<number>;
  pairs: [number, number][];
}

const columnNames = (entity: Function): string[] => {
  const classes: unknown[] = [];
  for (let each = entity; each; each = Object.getPrototypeOf(each)) classes.push(each);
  return getMetadataArgsStorage()
    .columns.filter(({ target }) => classes.includes(target))
    .map(({ options, propertyName }) => options.name ?? propertyName);
};

const COLUMNS = new Map(Object.entries(ENTITIES).map(([table, entity]) => [table, columnNames(entity)]));
/** The tables whose rows belong to a workspace. */
const isTenants = (table: string | null): boolean =>
  COLUMNS.get(table ?? '')?.includes('workspace_id') ?? false;

/** Columns with unguessable ids or digests of secrets, each of one object. */
const KEY = /(^|_)(id|ids|hash|payer|about|refund_of|adjusts|opened_by|granted_by|replaces)$/;
const isEquality = ({ kind, name }: Node): boolean =>
  ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN', 'AEXPR_NOT_DISTINCT'].includes(kind) &&
  name.at(-1).String?.sval === '=';

/** Reads one statement. */
class Reader {
  readonly sources: Source[] = [];
  readonly facts: Guarantees = { bound: new Set(), pairs: [] };

  /** A statement, or a part of one with statements in it. */
  visit(node: Node, scope: Scope | null): void {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach((each) => this.visit(each, scope));
    for (const kind of ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'])
      if (node[kind]) return void this.statement(kind, node[kind], scope);
    Object.values(node).forEach((each) => this.visit(each, scope));
  }

  /**
   * Analyses a statement. Returns the source of which its result has one row each, and its scope; for a UNION
   * those of each part.
   */
  statement(kind: string, statement: Node, parent: Scope | null): { of: number[]; scopes: Scope[] } {
    const scope: Scope = { parent, sources: new Map(), ctes: new Map() };
    for (const { CommonTableExpr: cte } of statement.withClause?.ctes ?? []) {
      const source = this.add(null);
      scope.ctes.set(cte.ctename, source);
      const [inner] = Object.keys(cte.ctequery) as [string];
      for (const of of this.statement(inner, cte.ctequery[inner], scope).of) this.pair(source, of);
    }
    if (statement.larg) {
      const parts = [statement.larg, statement.rarg].map((part) => this.statement('SelectStmt', part, scope));
      return { of: parts.flatMap(({ of }) => of), scopes: parts.flatMap(({ scopes }) => scopes) };
    }
    const from = [...(statement.fromClause ?? []), ...(statement.usingClause ?? [])];
    const target = statement.relation ? this.rangeVar(statement.relation, scope) : null;
    for (const item of from) this.join(item, scope);
    const insertion = kind === 'InsertStmt' && target !== null;
    if (insertion) {
      this.sources[target]!.inserts = true;
      const names = (statement.cols ?? []).map(({ ResTarget }: Node) => ResTarget.name);
      if (names.includes('workspace_id')) this.facts.bound.add(target);
    }
    this.take(this.condition(statement.whereClause, scope));
    const { withClause: _w, relation: _r, fromClause: _f, usingClause: _u, ...rest } = statement;
    this.visit(Object.values(rest), scope);
    const first = target ?? scope.sources.values().next().value;
    return { of: first === undefined ? [] : [first], scopes: [scope] };
  }

  /** An item of a FROM clause. Returns its sources. */
  join(item: Node, scope: Scope): number[] {
    if (item.RangeVar) return [this.rangeVar(item.RangeVar, scope)];
    if (item.RangeSubselect) {
      const { alias, subquery } = item.RangeSubselect;
      const source = this.add(null);
      const { of } = this.statement('SelectStmt', subquery.SelectStmt, scope);
      for (const each of of) this.pair(source, each);
      scope.sources.set(alias?.aliasname ?? `subquery ${source}`, source);
      return [source];
    }
    if (item.JoinExpr) {
      const { larg, rarg, quals, usingClause, jointype } = item.JoinExpr;
      const [left, right] = [this.join(larg, scope), this.join(rarg, scope)];
      for (const { String: name } of usingClause ?? [])
        if (KEY.test(name.sval))
          for (const a of this.having(left, name.sval).slice(0, 1))
            for (const b of this.having(right, name.sval)) this.pair(a, b);
      const facts = this.condition(quals, scope);
      // Rows of the left side appear without a partner too.
      if (jointype === 'JOIN_LEFT')
        facts.bound = new Set([...facts.bound].filter((each) => right.includes(each)));
      this.take(facts);
      this.visit(quals, scope);
      return [...left, ...right];
    }
    const source = this.add(null);
    const { alias } = item.RangeFunction ?? {};
    if (alias) scope.sources.set(alias.aliasname, source);
    // Rows that the caller has given, as JSON or an array, or that a function finds for rows of others.
    const given = this.columnsIn(item, scope);
    if (given.length === 0) this.facts.bound.add(source);
    for (const column of given) this.pair(source, column.source);
    this.visit(item, scope);
    return [source];
  }

  private having(sources: number[], column: string): number[] {
    return sources.filter((each) => COLUMNS.get(this.sources[each]!.table ?? '')?.includes(column) ?? true);
  }

  private rangeVar({ relname, alias }: Node, scope: Scope): number {
    let cte: number | undefined;
    for (let each: Scope | null = scope; each && cte === undefined; each = each.parent)
      cte = each.ctes.get(relname);
    const source = this.add(cte === undefined ? relname : null);
    if (cte !== undefined) this.pair(source, cte);
    scope.sources.set(alias?.aliasname ?? relname, source);
    return source;
  }

  private add(table: string | null): number {
    return this.sources.push({ table }) - 1;
  }

  private pair(a: number, b: number): void {
    this.facts.pairs.push([a, b]);
  }

  private take({ bound, pairs }: Guarantees): void {
    for (const each of bound) this.facts.bound.add(each);
    this.facts.pairs.push(...pairs);
  }

  /**
   * What holds for every row that meets a condition: for an AND, all parts; for an OR, what its parts have in
   * common.
   */
  private condition(node: Node, scope: Scope): Guarantees {
    const facts: Guarantees = { bound: new Set(), pairs: [] };
    const { BoolExpr: bool, A_Expr: expression, SubLink: link } = node ?? {};
    if (bool?.boolop === 'AND_EXPR')
      for (const each of bool.args) {
        const { bound, pairs } = this.condition(each, scope);
        bound.forEach((source) => facts.bound.add(source));
        facts.pairs.push(...pairs);
      }
    if (bool?.boolop === 'OR_EXPR') {
      const [first, ...others] = bool.args.map((each: Node) => this.condition(each, scope)) as [
        Guarantees,
        ...Guarantees[],
      ];
      for (const each of first.bound) if (others.every(({ bound }) => bound.has(each))) facts.bound.add(each);
    }
    if (link?.subLinkType === 'ANY_SUBLINK') this.equate(link.testexpr, { SubLink: link }, scope, facts);
    if (expression && isEquality(expression)) this.equate(expression.lexpr, expression.rexpr, scope, facts);
    return facts;
  }

  /** An equation binds a key to a value, or pairs its row with the rows from which the value is computed. */
  private equate(left: Node, right: Node, scope: Scope, facts: Guarantees): void {
    const sides = [this.columnsIn(left, scope), this.columnsIn(right, scope)] as const;
    for (const [mine, theirs] of [sides, sides.toReversed()] as [Column[], Column[]][])
      for (const { source, name } of mine) {
        if (!KEY.test(name)) continue;
        if (theirs.length === 0) facts.bound.add(source);
        for (const other of theirs) facts.pairs.push([source, other.source]);
      }
  }

  /** The columns in an expression; for a subquery, those of its result. */
  private columnsIn(node: Node, scope: Scope): Column[] {
    if (node === null || typeof node !== 'object') return [];
    if (Array.isArray(node)) return node.flatMap((each) => this.columnsIn(each, scope));
    if (node.SubLink) {
      const { scopes } = this.statement('SelectStmt', node.SubLink.subselect.SelectStmt, scope);
      const parts = unionParts(node.SubLink.subselect.SelectStmt);
      return parts.flatMap(({ targetList }, part) => this.columnsIn(targetList, scopes[part]!));
    }
    if (node.ColumnRef) {
      const column = this.resolve(node.ColumnRef, scope);
      return column ? [column] : [{ source: this.add(null), name: '' }];
    }
    return Object.values(node).flatMap((each) => this.columnsIn(each, scope));
  }

  private resolve({ fields }: Node, scope: Scope): Column | null {
    const names = fields.map(({ String: name }: Node) => name?.sval);
    const [name, qualifier] = [names.at(-1), names.at(-2)];
    for (let each: Scope | null = scope; each; each = each.parent) {
      const all = [...each.sources.values()];
      const source = qualifier
        ? each.sources.get(qualifier)
        : (all.find((one) => COLUMNS.get(this.sources[one]!.table ?? '')?.includes(name)) ??
          all.find((one) => this.sources[one]!.table === null));
      if (source !== undefined) return { source, name };
    }
    return null;
  }
}

/** The SELECTs in a UNION. */
const unionParts = (select: Node): Node[] =>
  select.larg ? [select.larg, select.rarg].flatMap(unionParts) : [select];

/**
 * A statement's workspace tables whose rows it reaches without specifying their workspace, or an object by
 * its key: neither by a condition on the table, nor by one on a table joined to it by a key.
 */
export async function unreached(sql: string): Promise<string[]> {
  const reader = new Reader();
  reader.visit((await parse(sql)).stmts, null);
  const { bound, pairs } = reader.facts;
  const reached = new Set(bound);
  for (let size = -1; size !== reached.size;) {
    size = reached.size;
    for (const [a, b] of pairs)
      if (reached.has(a) || reached.has(b)) {
        reached.add(a);
        reached.add(b);
      }
  }
  const left = reader.sources.filter(({ table }, each) => isTenants(table) && !reached.has(each));
  return [...new Set(left.map(({ table }) => table!))];
}
