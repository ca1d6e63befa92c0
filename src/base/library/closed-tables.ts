import type { PoolClient } from 'pg';

/** What a connection of a library says about itself: its own tables, and no others, have rows for it. */
export const librarySetting = 'sylk.library';

/**
 * Row-level security for every table of the library and of its copies, for their owner too: a statement on a connection that does not name
 * this library sees no row and writes none, whatever schema it asks for. PostgreSQL checks the setting once for each statement.
 * Superusers pass it.
 */
export async function closeTables(client: PoolClient): Promise<void> {
  await client.query(`DO $$
    DECLARE here TEXT := current_schema(); one RECORD;
    BEGIN
      IF current_setting('${librarySetting}', true) IS DISTINCT FROM here THEN RETURN; END IF;
      FOR one IN
        SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind = 'r' AND NOT c.relforcerowsecurity AND pg_get_userbyid(c.relowner) = current_user
          AND (n.nspname = here OR starts_with(n.nspname, left(here, 40) || '_before_'))
      LOOP
        EXECUTE format('ALTER TABLE %I.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', one.nspname, one.relname);
        EXECUTE format('CREATE POLICY own_library ON %I.%I USING (current_setting(''${librarySetting}'', true) = %L)', one.nspname, one.relname, here);
      END LOOP;
    END $$`);
}
