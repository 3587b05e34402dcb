/** The statements of schedules, one function each (sql/queries/schedules.sql). */
import type { Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import type { Times } from './due';

export interface ScheduleRow extends Row, Times {
  id: number;
  name: string;
  board_id: number;
  board: string;
  enabled: boolean;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  next_at: Date | null;
  timezone: string;
  sent_at: Date | null;
}
interface DueRow extends Row, Times {
  id: number;
  next_at: Date;
  timezone: string;
}
export interface RunRow extends Row {
  as_of: Date;
  due_at: Date | null;
  schedule_id: number;
  name: string;
  board: string;
  board_id: number;
  project_id: number;
  project: string;
  timezone: string;
  currency: string;
}
export interface ItemRow extends Row {
  heading: string | null;
  name: string | null;
  question: unknown;
}
export interface LedgerRow extends Row {
  id: number;
  due_at: Date | null;
  created_at: Date;
  messages: { to: string; state: string; attempts: number; error: string; at: string | null }[];
}

export const listSchedules = postgresQuery<ScheduleRow>('schedules.list');
export const createSchedule = postgresQuery<{ id: number }>('schedules.create');
export const changeSchedule = postgresQuery<{ id: number }>('schedules.change');
export const deleteSchedule = postgresQuery<{ id: number }>('schedules.delete');
export const takeDue = postgresQuery<DueRow>('schedules.take-due');
export const setNext = postgresQuery('schedules.set-next');
export const addRun = postgresQuery<{ id: number }>('schedules.add-run');
export const addMessages = postgresQuery('notices.add-for-run');
export const addMessageToAsker = postgresQuery('notices.add-for-asker');
export const findRun = postgresQuery<RunRow>('schedules.run');
export const listItems = postgresQuery<ItemRow>('schedules.items');
export const findBoard = postgresQuery<{ id: number }>('schedules.board');
export const findAddress = postgresQuery<{ email: string }>('schedules.address-of-person');
export const findTimezone = postgresQuery<{ timezone: string }>('schedules.timezone');
export const listRuns = postgresQuery<LedgerRow>('schedules.runs');
