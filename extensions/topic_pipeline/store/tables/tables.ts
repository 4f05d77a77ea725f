import type { OpenSession, Session } from '../session.ts'
import type { Tables } from '../store.ts'
import { categoryTable } from './category-table.ts'
import { draftTable } from './draft-table.ts'
import { lockSection } from './exclusive.ts'
import { groupTable } from './group-table.ts'
import { jobTable } from './job-table.ts'
import { memoryTable } from './memory-table.ts'
import { scanTable } from './scan-table.ts'
import { topicTable } from './topic-table.ts'
import { uploadTable } from './upload-table.ts'
import { usageTable } from './usage-table.ts'
import { vectorTable } from './vector-table.ts'

/** The tables of the store, or of the transaction that `session` is. */
export function tablesOf(session: Session | OpenSession): Tables {
  return {
    categories: categoryTable(session),
    topics: topicTable(session),
    groups: groupTable(session),
    jobs: jobTable(session, tablesOf),
    scans: scanTable(session),
    memory: memoryTable(session),
    uploads: uploadTable(session),
    drafts: draftTable(session),
    vectors: vectorTable(session),
    usage: usageTable(session),
    async exclusive(section) {
      if ('slot' in session) await lockSection(session, section)
    },
  }
}
