#!/bin/sh
exec git log --format=%s "$1..HEAD"
