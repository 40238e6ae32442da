import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** The connections under the data source, for the statement that every request runs: without what the ORM does around it. */
export const poolOf = (db: DataSource): Pool => (db.driver as PostgresDriver).master;
