import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** Returns the data source's connection pool. */
export const getPool = (db: DataSource): Pool => (db.driver as PostgresDriver).master;
