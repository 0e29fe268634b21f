//! Files in and out. Floor 5.
